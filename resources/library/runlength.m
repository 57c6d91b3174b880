function [count, value] = runlength(x)
% [count, value] = runlength(x): how often each value of a vector comes in a row, and the values (Octave's).
if ~isvector(x)
    error('runlength:invalidInput', 'The input of runlength must be a vector.');
end
x = reshape(x, 1, []);
last = [find(x(1:end-1) ~= x(2:end)), numel(x)];
count = diff([0 last]);
value = x(last);
end
