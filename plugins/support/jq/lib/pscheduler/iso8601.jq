# SPDX-License-Identifier: Apache-2.0
#
# iso8601.jq - ISO 8601 durations and timestamps, as pScheduler's module of this
# name reads them:  import "pscheduler/iso8601" as iso;
#
# Like si.jq it does without regular expressions, and every step looks at each
# character once.

# Fails and tells what could not be read.
def invalid_duration($value):
  error("Invalid ISO 8601 duration '\($value)'");

def invalid_timestamp($value):
  error("Invalid timestamp '\($value)'");

# The numeric value of the input, a string of one digit or more; else fails by 'bad'.
def _whole(bad):
  if (explode | length > 0 and min >= 48 and max <= 57) then tonumber else bad end;

# As _whole, with or without a fraction.
def _decimal(bad):
  split(".") as $parts
  | if ($parts | length) == 2 then
      ($parts[1] | _whole(bad)) as $fraction
      | ($parts[0] | _whole(bad)) as $whole
      | tonumber
    else _whole(bad)
    end;

# The input with a letter in upper case that may occur once; else fails by 'bad'.
def _raise($lower; $upper; bad):
  split($lower) as $parts
  | if ($parts | length) < 2 then .
    elif ($parts | length) == 2 then $parts[0] + $upper + $parts[1]
    else bad
    end;

# pScheduler takes any case.  What is left in lower case is no duration.
def _upper(bad):
  if explode | max < 97 then .
  else
    _raise("p"; "P"; bad) | _raise("t"; "T"; bad) | _raise("w"; "W"; bad)
    | _raise("d"; "D"; bad) | _raise("h"; "H"; bad) | _raise("m"; "M"; bad)
    | _raise("s"; "S"; bad)
  end;

# The seconds of "nWnD", "nD" or "".  Weeks alone are no duration to pScheduler.
def _date_seconds(bad):
  if . == "" then 0
  elif endswith("D") | not then bad
  else
    rtrimstr("D") | split("W") as $parts
    | if ($parts | length) == 2
      then ($parts[0] | _whole(bad)) * 604800 + ($parts[1] | _whole(bad)) * 86400
      else _whole(bad) * 86400
      end
  end;

# The seconds of "n.fS" or "".
def _second_seconds(bad):
  if . == "" then 0
  elif endswith("S") then rtrimstr("S") | _decimal(bad)
  else bad
  end;

# The seconds of "nM" and what may follow.
def _minute_seconds(bad):
  split("M") as $parts
  | if ($parts | length) == 2
    then ($parts[0] | _whole(bad)) * 60 + ($parts[1] | _second_seconds(bad))
    else _second_seconds(bad)
    end;

# The seconds of "nH" and what may follow.
def _time_seconds(bad):
  split("H") as $parts
  | if ($parts | length) == 2
    then ($parts[0] | _whole(bad)) * 3600 + ($parts[1] | _minute_seconds(bad))
    else _minute_seconds(bad)
    end;

# A duration such as "PT1M30S", "P1W2D" or "pt0.5s" in seconds.
def duration_as_seconds($value):
  def bad: invalid_duration($value);
  if ($value | type) != "string" then bad
  else
    $value
    | rtrimstr("\n")
    | _upper(bad)
    | split("T") as $halves
    | ($halves | length) as $count
    | if $count == 2 and $halves[0] == "P" then $halves[1] | _time_seconds(bad)
      elif $count > 2 or ($halves[0] // "" | startswith("P") | not) then bad
      else
        ($halves[0] | ltrimstr("P") | _date_seconds(bad))
        + ($halves[1] // "" | _time_seconds(bad))
      end
  end;

# The value of the input, so many digits, from $low to $high; else fails by 'bad'.
def _field($digits; $low; $high; bad):
  (if length == $digits then _whole(bad) else bad end)
  | if . >= $low and . <= $high then . else bad end;

# "hh", "hh:mm" or "hhmm" with the sign before it.
def _offset($sign; bad):
  (if length == 4 and (explode | max) < 58 then [.[:2], .[2:]] else split(":") end) as $parts
  | if ($parts | length) > 2 then bad
    else
      { offset_hr: ($parts[0] // "" | _field(2; 0; 23; bad) * $sign),
        offset_min: ($parts[1] // "00" | _field(2; 0; 59; bad) * $sign) }
    end;

# [time without zone, the zone's fields]
def _zone(bad):
  split("+") as $plus
  | split("-") as $minus
  | if endswith("Z") then [rtrimstr("Z"), { offset_hr: 0, offset_min: 0 }]
    elif ($plus | length) == 2 then [$plus[0], ($plus[1] | _offset(1; bad))]
    elif ($minus | length) == 2 then [$minus[0], ($minus[1] | _offset(-1; bad))]
    else [., {}]
    end;

# "ss" with or without a fraction; a leap second may be told.
def _second(bad):
  split(".") as $parts
  | ($parts[0] // "" | _field(2; 0; 60; bad)) as $second
  | _decimal(bad);

# The fields of "hh", "hh:mm", "hh:mm:ss.f", or of the same without colons.
def _time(bad):
  (if split(":") | length > 1 then split(":")
   elif length > 4 then [.[:2], .[2:4], .[4:]]
   elif length > 2 then [.[:2], .[2:]]
   else [.]
   end) as $parts
  | if ($parts | length) > 3 then bad
    else
      { hour: ($parts[0] | _field(2; 0; 23; bad)) }
      + (if $parts[1] == null then {} else { minute: ($parts[1] | _field(2; 0; 59; bad)) } end)
      + (if $parts[2] == null then {} else { second: ($parts[2] | _second(bad)) } end)
    end;

# The fields of "YYYY", "YYYY-MM", "YYYY-MM-DD" or "YYYYMMDD".
def _date(bad):
  (if length == 8 and (explode | min) > 47 then [.[:4], .[4:6], .[6:]] else split("-") end)
    as $parts
  | if ($parts | length) > 3 then bad
    else
      { year: ($parts[0] // "" | _field(4; 0; 9999; bad)) }
      + (if $parts[1] == null then {} else { month: ($parts[1] | _field(2; 1; 12; bad)) } end)
      + (if $parts[2] == null then {} else { day: ($parts[2] | _field(2; 1; 31; bad)) } end)
    end;

# The fields of "YYYY-MM-DDThh:mm:ss", which nearly all timestamps begin with; null
# for everything else.  strptime() alone would take other spellings too, and
# strftime() writes years before 1000 with fewer digits.
def _usual:
  "%Y-%m-%dT%H:%M:%S" as $format
  | . as $text
  | (if length == 19 then (try strptime($format) catch null) else null end) as $t
  | if $t == null or ($t | strftime($format)) != $text or $t[5] > 60 then null
    else
      { year: $t[0], month: ($t[1] + 1), day: $t[2], hour: $t[3], minute: $t[4], second: $t[5] }
    end;

# The zone's fields in what follows the seconds; null if that is no zone.
def _usual_zone(bad):
  if . == "Z" then { offset_hr: 0, offset_min: 0 }
  elif . == "" then {}
  elif startswith("+") then .[1:] | _offset(1; bad)
  elif startswith("-") then .[1:] | _offset(-1; bad)
  else null
  end;

# The fields of any timestamp, one by one.
def _fields(bad):
  split("T") as $halves
  | ($halves[0] // "" | _date(bad)) as $date
  | if ($halves | length) < 2 then $date
    elif ($halves | length) > 2 or $date.day == null then bad
    else
      ($halves[1] | _zone(bad)) as $time
      | $date + ($time[0] | _time(bad)) + $time[1]
    end;

# The fields of a timestamp, as numbers: year, month, day, hour, minute, second,
# offset_hr and offset_min; those that are not written are not there.  "Z" is the
# offset 0 and 0; of an offset west of Greenwich both are negative.
def timestamp_parsed($value):
  def bad: invalid_timestamp($value);
  if ($value | type) != "string" then bad
  else
    ($value[:19] | _usual) as $usual
    | (if $usual == null then null else $value[19:] | _usual_zone(bad) end) as $zone
    | if $zone == null then $value | _fields(bad) else $usual + $zone end
  end;
