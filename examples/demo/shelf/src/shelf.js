export const shelf = [
  { title: 'Dune', year: 1965 },
  { title: 'The Left Hand of Darkness', year: 1969 },
];
