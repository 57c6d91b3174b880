1;
function r = early(x), r = 0; if x < 0, return; end, r = sqrt(x); end
disp(early(-4)); disp(early(9));
function show(n), for k = 1:10, if k > n, return, end, fprintf('%d ', k); end, end
show(3); fprintf('\n');
