try, [1 2 3] + [1 2], catch e, disp('nonconformant'), end
try, ones(2, 3) .* ones(3, 2), catch, disp('nonconformant'), end
