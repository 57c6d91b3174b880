function y = quant(x, q)
% y = quant(x, q): the multiples of q next to x.
y = round(x/q)*q;
end
