function [a, efinal] = ac2poly(r)
% [a, efinal] = ac2poly(r): the prediction polynomial of an autocorrelation, and the error that is left.
[a, efinal] = levinson(r);
end
