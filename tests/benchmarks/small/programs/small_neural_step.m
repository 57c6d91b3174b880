function r = small_neural_step()
W = mod(reshape(1:50, 5, 10)*7, 11)/11 - 0.5; V = mod(1:5, 3) - 1; x = (1:10)'/10; r = 0; for k = 1:400, h = tanh(W*x); e = V*h - 1; V = V - 0.05*e*h'; W = W - 0.05*e*(V'.*(1 - h.^2))*x'; r = r + e^2; end
end
