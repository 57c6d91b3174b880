function r = small_template_filling()
template = 'Dear {name}, your order {id} of {count} items costs {price} EUR.'; r = 0;
for k = 1:25
    values = struct('name', char(65 + mod(k*[1 3 5 7], 26)), 'id', sprintf('%05d', k*77), 'count', num2str(mod(k, 9) + 1), 'price', sprintf('%.2f', k*3.3));
    text = template; names = fieldnames(values);
    for j = 1:numel(names), text = strrep(text, ['{' names{j} '}'], values.(names{j})); end
    text = regexprep(text, '(\d+)\.(\d\d)', '$1,$2'); r = r + sum(double(text));
end
end
