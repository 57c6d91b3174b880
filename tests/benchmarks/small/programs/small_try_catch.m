function r = small_try_catch()
r = 0; for k = 1:150, try, if mod(k, 3) == 0, error('my:id', 'bad %d', k); end, r = r + 1; catch e, r = r + numel(e.message); end, end
end
