% oracle: MATLAB documentation; older Octave has no control systems
% dialect: matlab
% Responses of num, den and of A, B, C, D, as programs from before there were models write them.
t = 0:0.5:1;
disp(round(step(3, [2 1], t)', 4)), disp(round(impulse(1, [1 1], t)', 4))
disp(round(step(-1, 1, 2, 0, t)', 4)), disp(round(lsim(1, [1 1], [1 1 1], t)', 4))
[m, p] = bode(1, [1 1], 1); fprintf('%.4f %.4f\n', m, p)
[r, i] = nyquist(1, [1 1], 1); fprintf('%.4f %.4f\n', r, i)
disp(sort(real(rlocus([1 3], [1 2 0], 2)))')
disp(pzmap(1, [1 3 2])')
[gm, pm] = margin(1, [1 2 1 0]); fprintf('%.4f %.4f\n', gm, pm)
try, pzmap(tf(1, [1 2]), 77), catch e, disp(e.message), end
