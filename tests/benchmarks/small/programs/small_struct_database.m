function r = small_struct_database()
people = struct('name', {}, 'age', {}, 'city', {}); cities = {'Rome', 'Oslo', 'Bern'};
for k = 1:60, p.name = sprintf('P%02d', k); p.age = 20 + mod(k*7, 41); p.city = cities{mod(k, 3) + 1}; people(end+1) = p; end
old = people([people.age] > 40); [~, i] = sort([old.age], 'descend'); old = old(i);
names = {old.name}; isRome = strcmp({old.city}, 'Rome'); r = sum([old(isRome).age]) + numel([names{:}]);
for k = 1:numel(people), people(k).age = people(k).age + 1; people(k).tag = upper(people(k).name); end
r = r + sum([people.age]);
end
