function r = small_while_convergence()
x = 1; r = 0; while abs(x - cos(x)) > 1e-14, x = (x + cos(x))/2; r = r + 1; end
end
