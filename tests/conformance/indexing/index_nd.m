x = reshape(1:24, 2, 3, 4);
disp(x(2,3,4)); disp(size(x(:,:,2))); disp(size(x(:,2,:))); disp(squeeze(x(1,2,:))');
disp(x(2,7)); disp(size(x(:,:))); disp(x(end)); disp(x(end,end,1)); disp(x(1,end));
disp(size(x(:,:,[1 3]))); disp(x(1,1,1,1));
