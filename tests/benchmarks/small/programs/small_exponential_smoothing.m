function r = small_exponential_smoothing()
S.a = 0.3; y = 0; r = 0; for k = 1:5000, y = (1 - S.a)*y + S.a*sin(k/10); r = r + y; end
end
