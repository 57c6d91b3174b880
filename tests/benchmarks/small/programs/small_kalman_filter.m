function r = small_kalman_filter()
x = [0; 0]; P = eye(2); F = [1 0.1; 0 1]; H = [1 0]; Q = 0.01*eye(2);
for k = 1:400, x = F*x; P = F*P*F' + Q; K = P*H'/(H*P*H' + 0.5); x = x + K*(sin(k/20) - H*x); P = (eye(2) - K*H)*P; end
r = x(1);
end
