% oracle: MATLAB documentation
% dialect: matlab
% The number of inputs, asked for in evaluated text and on behalf of the caller.
disp(counts(1, 2)), disp(counts(1)), disp(several(1, 2, 3))
disp(defaults(1)), disp(defaults(1, 2)), disp(defaults(1, [], 4)), disp(defaults(1, 2, 3))
disp([ignoring(1, 'x') ignoring(1, {}, 5)])
try, eval('nargin'), catch e, disp(e.identifier), end

function r = counts(a, b)
eval('n = nargin;');
r = [n, eval('nargin'), asked()];
eval('r(end + 1) = nargout;');
end

function n = asked()
n = evalin('caller', 'nargin');
end

function r = several(varargin)
eval('r = numel(varargin) + nargin;');
end

function r = defaults(a, b, c)
SetDefaultValue(2, 'b', 7);
SetDefaultValue(3, 'c', 9);
r = [a b c];
end

function SetDefaultValue(position, name, value)
if evalin('caller', 'nargin') < position || evalin('caller', ['isempty(' name ')'])
    assignin('caller', name, value);
end
end

function r = ignoring(a, ~, b)
arguments
    a double
    ~
    b double = 3
end
r = a + b;
end
