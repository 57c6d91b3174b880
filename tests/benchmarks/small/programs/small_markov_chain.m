function r = small_markov_chain()
P = [0.9 0.1 0; 0.2 0.7 0.1; 0 0.3 0.7]; p = [1 0 0];
for k = 1:2000, p = p*P; end
r = p(1);
end
