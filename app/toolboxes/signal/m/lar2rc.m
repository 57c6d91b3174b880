function k = lar2rc(g)
% k = lar2rc(g): reflection coefficients of log area ratios.
k = -tanh(-g/2);
end
