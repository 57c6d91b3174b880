% oracle: Octave has no string class
% dialect: matlab
"a" + 1
"x" + "y" + 'z'
["a" "b"] + "!"
1.5 + "q"
