function r = small_magic_checks()
r = 0; for n = 3:14, M = magic(n); r = r + isequal(sum(M), sum(M, 2)') + trace(M); end
end
