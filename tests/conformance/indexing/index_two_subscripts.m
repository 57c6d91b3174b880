x = reshape(1:12, 3, 4);
disp(x(2,3)); disp(x(2,:)); disp(x(:,2)'); disp(x([1 3],[2 4]));
disp(x(end,end)); disp(x(end,1)); disp(x(1,end-1)); disp(size(x(:,[])));
disp(x(:,:)); disp(x([1 1 2],1)');
