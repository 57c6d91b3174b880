function r = small_circuit_phasors()
r = 0; R = 100; L = 0.1; C = 1e-6;
for f = 10:20:2000
    w = 2*pi*f; ZL = 1i*w*L; ZC = 1/(1i*w*C);
    A = [R + ZL, -ZL; -ZL, ZL + ZC]; i = A \ [1; 0]; H = i(2)*ZC;
    r = r + abs(H) + angle(H)/pi;
end
r = round(r*1e6);
end
