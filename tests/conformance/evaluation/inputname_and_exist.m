% oracle: exist of a local function; clear -x is a name pattern
function show(v), disp(class(v)); end
q = 3; show(q); disp(exist('show')); disp(exist('q', 'var')); disp(exist('nope', 'var')); clear q; disp(exist('q', 'var')); a1 = 1; a2 = 2; b1 = 3; clear a*; disp(exist('a1')); disp(exist('b1')); w = who; disp(iscell(w)); x = 5; y = 6; clear('x'); disp(exist('x')); disp(y); clear -x y
disp(exist('y'));
