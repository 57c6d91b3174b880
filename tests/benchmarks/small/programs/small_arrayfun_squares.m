function r = small_arrayfun_squares()
r = sum(arrayfun(@(k) k^2 + 1, 1:600));
end
