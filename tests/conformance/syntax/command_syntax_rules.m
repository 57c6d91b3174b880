% oracle: a variable is never a command
x = 3;
x -1
x - 1
format long
format
hold_ = 4; hold_ +1
