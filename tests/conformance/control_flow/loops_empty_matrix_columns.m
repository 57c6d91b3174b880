n = 0; for k = zeros(2, 0), n = n + 1; end, disp(n); for k = ones(2, 3)(:, 1:2), disp(k'); end
