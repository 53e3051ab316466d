/** The labels of metrics about a scenario. */
export const labelNames = ['environment', 'area', 'scenario'] as const;
