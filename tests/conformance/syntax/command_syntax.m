% oracle: Octave stops at the command
format long
format
hold_value = 3; disp(hold_value); x = 5; clear x
disp(exist('x')); warning off
a = 1; a +1; disp(ans); b = [a -1]; disp(b); close all
more off
disp('done');
