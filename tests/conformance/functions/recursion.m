1;
function r = fact(n), if n <= 1, r = 1; else, r = n * fact(n-1); end, end
function r = ack(m,n), if m == 0, r = n+1; elseif n == 0, r = ack(m-1,1); else, r = ack(m-1, ack(m,n-1)); end, end
disp(fact(10)); disp(ack(2,3)); 
function hanoi(n,a,b,c), if n == 0, return; end, hanoi(n-1,a,c,b); fprintf('%s%s ', a, b); hanoi(n-1,c,b,a); end
hanoi(3,'A','B','C'); fprintf('\n');
function r = forever(n), r = forever(n+1); end
try, forever(1); catch e, disp('limit'); end
