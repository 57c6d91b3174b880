% dialect: matlab
% oracle: Octave's superclass constructors differ
addpath('support')
b = Bag('tin'); l = addlistener(b, 'Filled', @(src, event) fprintf('%s: %d\n', event.EventName, src.Count));
b.fill(3), disp(b.greet()), disp(b.reveal()), isa(b, 'Named'), isa(b, 'Sized'), isa(b, 'handle')
try, b.Secret; catch e, disp(e.identifier), end
try, b.hidden(); catch e, disp(e.identifier), end
try, hidden(b); catch e, disp(e.message), end
try, Bag.nothing; catch e, disp(e.message), end
p = Bag.pair('x'); disp(p(2).Name), delete(l), b.fill(1), c = b; c.Count = 10; disp(b.Count), b == c, isvalid(b), delete(b), isvalid(c)
