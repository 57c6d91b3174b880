function r = small_edit_distance()
a = repmat('kitten', 1, 12); b = repmat('sitting', 1, 11); d = zeros(numel(a)+1, numel(b)+1);
d(:,1) = 0:numel(a); d(1,:) = 0:numel(b);
for i = 1:numel(a), for j = 1:numel(b)
d(i+1,j+1) = min([d(i,j+1)+1, d(i+1,j)+1, d(i,j)+(a(i)~=b(j))]);
end, end
r = d(end,end);
end
