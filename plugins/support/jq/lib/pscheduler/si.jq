# SPDX-License-Identifier: Apache-2.0
#
# si.jq - numbers with SI suffixes, as pScheduler's module of this name reads
# them:  import "pscheduler/si" as si;
#
# Regular expressions are compiled anew by every call in jq and would cost three
# times as much as all of this, so strings are taken apart by functions that jq
# has in C.  They look at each character once, however long the string.

# Fails and tells what could not be read.
def invalid($value):
  error("Invalid SI Number '\($value)'");

# The power of 1000 or 1024 that a letter stands for, or null.
def _power($letter):
  { "k": 1, "m": 2, "g": 3, "t": 4, "p": 5, "e": 6, "z": 7, "y": 8,
    "K": 1, "M": 2, "G": 3, "T": 4, "P": 5, "E": 6, "Z": 7, "Y": 8 }[$letter];

def _decimal($power):
  [ 1, 1e3, 1e6, 1e9, 1e12, 1e15, 1e18, 1e21, 1e24 ][$power];

def _binary($power):
  [ 1, 1024, 1048576, 1073741824, 1099511627776, 1125899906842624, 1152921504606846976,
    1180591620717411303424, 1208925819614629174706176 ][$power];

# What a suffix ("k", "Ki", in any case) multiplies by; 1 for none.
def multiplier($prefix):
  if $prefix == null or $prefix == "" then 1
  elif ($prefix | type) != "string" then invalid($prefix)
  else
    ($prefix | length) as $length
    | _power($prefix[:1]) as $power
    | if $power == null or $length > 2 then invalid($prefix)
      elif $length == 1 then _decimal($power)
      elif $prefix[1:] == "i" or $prefix[1:] == "I" then _binary($power)
      else invalid($prefix)
      end
  end;

# Is the input, a string, made of decimal digits and not empty?
def _is_digits:
  explode | length > 0 and min >= 48 and max <= 57;

# The input, the digits of a number with or without a fraction; $value is the whole.
def _number($value):
  split(".") as $parts
  | if ($parts[0] // "" | _is_digits | not)
      or ($parts | length) > 2
      or (($parts | length) == 2 and ($parts[1] | _is_digits | not))
    then invalid($value)
    else tonumber
    end;

# A number as it is; a string such as "10", "1.5k" or "2Mi" as the integer below
# its value.
def as_integer($value):
  ($value | type) as $type
  | if $type == "number" then $value
    elif $type != "string" then invalid($value)
    else
      $value[-1:] as $last
      | if $last == "i" or $last == "I" then
          _power($value[-2:-1]) as $power
          | if $power == null then invalid($value)
            else $value[:-2] | _number($value) * _binary($power) | floor
            end
        else
          _power($last) as $power
          | if $power == null then $value | _number($value) | floor
            else $value[:-1] | _number($value) * _decimal($power) | floor
            end
        end
    end;
