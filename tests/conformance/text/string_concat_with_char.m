% oracle: Octave has no string class
% dialect: matlab
class(["a" 'bc']), ["a" 'bc'], [string('x'), 5], strcat("a", 'b', "c"), strjoin(["a" "b"], ',')
