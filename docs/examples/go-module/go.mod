module cap

go 1.19
