% classes and limits at the edge
r = int32(single([3e9 2 -3e9 NaN Inf 2147483520])); disp(r); disp(uint32(single([5e9 -1 1])));
big = int32(repmat(single(3e9), 40, 40)); disp(big(end));
disp(class(sum(true(1,2),'native'))); disp(class(sum(true(1,2000),'native'))); disp(sum(false(1,2),'native'));
disp(class(+(rand(1,3) > 2))); disp(class(+(rand(1,3000) > 2))); disp(class(+true));
z = reshape(mod((1:3000)*0.737,7)-3.2,30,100); z = z + 1i*z.^2/3; disp(isreal(dot(z,z))); disp(isreal(dot(z(:),z(:))));
