% oracle: MATLAB documents numArgumentsFromSubscript; Octave has none
addpath('support')
b = Satchel(1, 'two', [3 3]);
c = {b{2:3}}
b{1}
b{1:2}
x = b{3}
[p, q] = b{1:2}
numel(b.items)
d = b(2:3); d{1}
disp(numel({b{[]}}))
f = max(b{[1 1]})
class(matlab.indexing.IndexingContext.Statement)
