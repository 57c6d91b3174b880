function r = even_(n), if n == 0, r = true; else, r = odd_(n - 1); end, end
function r = odd_(n), if n == 0, r = false; else, r = even_(n - 1); end, end
disp(even_(10)); disp(odd_(7)); disp(even_(3));
