function r = small_polygon_records()
shapes = struct('name', {}, 'points', {}, 'area', {});
for k = 3:10
    a = (0:k-1)'*2*pi/k; p = [cos(a), sin(a)]*k; q = p([2:end 1], :);
    shapes(end+1) = struct('name', sprintf('p%d', k), 'points', p, 'area', abs(sum(p(:,1).*q(:,2) - q(:,1).*p(:,2)))/2);
end
[m, i] = max([shapes.area]); total = 0;
for k = 1:numel(shapes), shapes(k).points(1, :) = []; total = total + size(shapes(k).points, 1)*shapes(k).area; end
r = round((m + i + total)*1e6);
end
