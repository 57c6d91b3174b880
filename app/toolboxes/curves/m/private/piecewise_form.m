function pp = piecewise_form(pp)
% The argument, if it is a piecewise polynomial; other forms are refused with their names.
if isstruct(pp) && isfield(pp, 'form') && ~strcmp(pp.form, 'pp')
    error('SPLINES:form', 'A spline of the form ''%s'' is not implemented, only piecewise polynomials.', pp.form);
end
if ~isstruct(pp) || ~isfield(pp, 'form')
    error('SPLINES:form', 'A piecewise polynomial is expected, as csapi, csape, spline and ppmak make them.');
end
end
