function r = small_viterbi()
A = [0.7 0.3; 0.4 0.6]; B = [0.5 0.4 0.1; 0.1 0.3 0.6]; v = [0.6; 0.4]; r = 0; for k = 1:400, o = mod(k*7, 3) + 1; [m, i] = max(A.*v); v = m'.*B(:,o); v = v/sum(v); r = r + i(1); end
end
