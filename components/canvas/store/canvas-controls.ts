/** What keys, toolbar, outline and problem list ask of the view. */
export interface CanvasControls {
  addNode: () => void;
  /** An empty note in the middle of the view. */
  addNote: () => void;
  fit: () => void;
  zoomTo: (zoom: number) => void;
  zoomBy: (factor: number) => void;
  /** Brings a node into view and gives it the focus. */
  focusNode: (nodeId: string) => void;
  /** Brings a node into view; the focus stays. */
  showNode: (nodeId: string) => void;
  toggleOutline: () => void;
  toggleMap: () => void;
  openHelp: () => void;
}
