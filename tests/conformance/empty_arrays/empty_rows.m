% arrays without rows keep and lose columns like any other
y = zeros(0,3); y(:,2) = []; disp(size(y)); y(:,1) = 7; disp(size(y)); y(:,5) = 7; disp(size(y));
y = zeros(0,3); y(:,4) = zeros(0,1); disp(size(y)); y(1) = 99; disp(y); y = zeros(0,3); y(3) = 1; disp(y);
y = []; y(:,1) = 7; disp(y); y = zeros(3,0); y(2,:) = []; disp(size(y)); y = zeros(2,0); y([],:) = []; disp(size(y));
c = cell(0,3); c(:,2) = []; disp(size(c)); y = ones(2,3); y(:,[]) = []; disp(size(y));
