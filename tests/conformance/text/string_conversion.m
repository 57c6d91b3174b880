% oracle: Octave has no string class
% dialect: matlab
string(5), string([1 2.5]), string(true), string({'a', 'b'}), char("abc"), double("3.5"), str2double(["1" "x"]), cellstr(["p" "q"])
