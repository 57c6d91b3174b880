% oracle: Octave wants functions first
% dialect: matlab
disp(helper(4));
x = other(helper(1));
disp(x);
function r = helper(a)
r = a + 1;
end
function r = other(a)
r = a * 10;
end
