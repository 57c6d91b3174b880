function r = arrayfun_anonymous(n)
% arrayfun with an anonymous function of a scalar.
    k = 3;
    r = sum(arrayfun(@(x) x ^ 2 + k, 1:n));
end
