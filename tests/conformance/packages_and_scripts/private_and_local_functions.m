addpath('support'); disp(uses_private(2)); try, hidden_helper(1); catch, disp('not visible'); end, f = @uses_private; disp(f(3)); try, local_part(1); catch, disp('local'); end
