# The command limen.
