function r = small_kalman_2d()
F = [1 0.1; 0 1]; H = [1 0]; Q = 0.01*eye(2); R = 0.5; x = [0; 1]; P = eye(2); r = 0;
for k = 1:200
    z = k*0.1 + sin(k)*0.3; x = F*x; P = F*P*F' + Q;
    K = P*H' / (H*P*H' + R); x = x + K*(z - H*x); P = (eye(2) - K*H)*P; r = r + x(1);
end
end
