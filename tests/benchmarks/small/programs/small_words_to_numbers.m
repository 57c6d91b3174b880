function r = small_words_to_numbers()
ones_ = {'zero','one','two','three','four','five','six','seven','eight','nine','ten','eleven','twelve','thirteen','fourteen','fifteen','sixteen','seventeen','eighteen','nineteen'};
tens_ = {'','','twenty','thirty','forty','fifty','sixty','seventy','eighty','ninety'}; r = 0;
for k = 0:7:199
    n = k; text = '';
    if n >= 100, text = [ones_{floor(n/100) + 1} ' hundred ']; n = mod(n, 100); end
    if n >= 20, text = [text tens_{floor(n/10) + 1} ' ']; n = mod(n, 10); end
    if n > 0 || isempty(text), text = [text ones_{n + 1}]; end
    r = r + numel(strtrim(text))*k;
end
end
