1;
function f(), c = onCleanup(@() disp('cleanup f')); disp('in f'); end
function g(), c = onCleanup(@() disp('cleanup g')); error('fail g'); end
f(); try, g(); catch e, disp(e.message); end
c = onCleanup(@() disp('explicit')); clear c; disp('end');
