function z = dotprod(w, p)
% z = dotprod(w, p): weighted inputs, the product of the weights w and the inputs p.
z = w*p;
end
