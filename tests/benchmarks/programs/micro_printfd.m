function r = micro_printfd(n)
% Formatted lines into a file that nobody reads.
    f = fopen('/dev/null', 'w');
    for i = 1:n
        fprintf(f, '%d %d\n', i, i + 1);
    end
    fclose(f);
    r = n;
end
