function r = small_switch_states()
s = 'a'; r = 0; for k = 1:4000, switch s, case 'a', s = 'b'; case 'b', if mod(k, 3), s = 'c'; end, case 'c', s = 'a'; r = r + 1; end, end
end
